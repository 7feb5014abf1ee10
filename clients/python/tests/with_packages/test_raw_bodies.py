"""The page about webhooks says how frameworks give the raw body. FastAPI has an example of its own."""

from __future__ import annotations

import unittest
from typing import Any

import django
import flask
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

import image_enhancement as ie

SECRET = "whsec_x"
BODY = b'{ "id":"evt_1","type":"ping","createdAt":"2026-01-02T03:04:05.678Z","data":{"a":"\\u00e9 \xc3\xa9"} }'
"""Spaces and an escape that are lost when the body is parsed and serialized again."""
HEADER = "x-service-signature"


@csrf_exempt
def receive(request: Any) -> Any:
    return HttpResponse(ie.verify_webhook(request.body, request.headers.get(HEADER), SECRET).id)


urlpatterns = [path("webhooks", receive)]


class RawBodiesTest(unittest.TestCase):
    def test_flask(self) -> None:
        app = flask.Flask(__name__)

        @app.post("/webhooks")
        def receive_in_flask() -> str:
            request = flask.request
            return ie.verify_webhook(request.get_data(), request.headers.get(HEADER), SECRET).id

        headers = {HEADER: ie.sign_test_header(BODY, SECRET), "content-type": "application/json"}
        answer = app.test_client().post("/webhooks", data=BODY, headers=headers)
        self.assertEqual((answer.status_code, answer.get_data()), (200, b"evt_1"))

    def test_django(self) -> None:
        # Here, because unittest looks at what the module imports, which would read the settings.
        from django.conf import settings

        csrf = "django.middleware.csrf.CsrfViewMiddleware"
        settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="x", MIDDLEWARE=[csrf])
        django.setup()
        # It reads the settings.
        from django.test import Client

        headers = {HEADER: ie.sign_test_header(BODY, SECRET)}
        client = Client(enforce_csrf_checks=True)
        answer = client.post("/webhooks", BODY, "application/json", headers=headers)
        self.assertEqual((answer.status_code, answer.content), (200, b"evt_1"))


if __name__ == "__main__":
    unittest.main()
