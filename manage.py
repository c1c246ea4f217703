#!/usr/bin/env python
"""Run one of Django's commands for Gaple, for example `manage.py play`."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gaple_site.settings")
    execute_from_command_line(sys.argv)
