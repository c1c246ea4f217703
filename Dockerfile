# One image for web, worker and beat; compose.yaml says which is which.
FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1
WORKDIR /srv/gaple

# Before the sources, so that a change of ours does not install everything again.
COPY requirements.txt .
RUN pip install --disable-pip-version-check -r requirements.txt

COPY . .
# Needs neither database nor broker nor the real key.
RUN SECRET_KEY=only-for-this-build python manage.py catalogues compile \
 && SECRET_KEY=only-for-this-build python manage.py collectstatic --no-input --verbosity 0 \
 && rm -rf data \
 && useradd --system --home-dir /srv/gaple gaple \
 && install -d -o gaple data

USER gaple
EXPOSE 8000
# Streams end by themselves at SIGTERM; the bound is for requests that hang.
CMD ["uvicorn", "gaple_site.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--timeout-graceful-shutdown", "10"]
