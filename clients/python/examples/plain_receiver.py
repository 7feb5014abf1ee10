"""Receives webhooks with only the standard library.

WEBHOOK_SECRET=whsec_… python plain_receiver.py 8080
"""

from __future__ import annotations

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from image_enhancement import WebhookSignatureError, verify_webhook

SECRET = os.environ["WEBHOOK_SECRET"]
seen: set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        try:
            event = verify_webhook(body, self.headers.get("x-service-signature"), SECRET)
        except WebhookSignatureError as error:
            print(f"refused: {error}", flush=True)
            self.send_response(400)
        else:
            # An event may arrive more than once. Its id stays the same.
            if event.id not in seen:
                seen.add(event.id)
                print(event.type, event.id, flush=True)
            self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("", int(sys.argv[1])), Receiver).serve_forever()
