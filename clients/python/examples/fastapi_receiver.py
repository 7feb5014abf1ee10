"""Receives webhooks with FastAPI.

pip install fastapi uvicorn
WEBHOOK_SECRET=whsec_… uvicorn fastapi_receiver:app --port 8080
"""

from __future__ import annotations

import os

from fastapi import BackgroundTasks, FastAPI, HTTPException, Request, Response
from image_enhancement import WebhookEvent, WebhookSignatureError, verify_webhook

SECRET = os.environ["WEBHOOK_SECRET"]
app = FastAPI()


def handle(event: WebhookEvent) -> None:
    """Your processing. An event may arrive more than once: remember event.id."""
    # An endpoint may subscribe to either name. A callback_url gets the first.
    if event.type in ("enhancement.completed", "job.completed") and event.job is not None:
        print("ready:", event.job.result_url)


@app.post("/webhooks")
async def receive(request: Request, tasks: BackgroundTasks) -> Response:
    body = await request.body()  # raw, because the signature does not match reserialized JSON
    try:
        event = verify_webhook(body, request.headers.get("x-service-signature"), SECRET)
    except WebhookSignatureError as error:
        raise HTTPException(status_code=400, detail=str(error)) from error
    tasks.add_task(handle, event)  # respond first and process later, because the service waits at most 15 s
    return Response(status_code=204)
