"""Pages alone, for servers that speak WSGI. Live updates need asgi.py."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gaple_site.settings")

application = get_wsgi_application()
