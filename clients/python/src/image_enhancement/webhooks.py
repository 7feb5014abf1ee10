"""Webhooks: endpoints, deliveries, and the verification of received events."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from ._http.idempotency import new_idempotency_key
from ._http.lists import Paged
from ._http.request import NULL, Request, json_request, segment
from ._http.transport import Transport
from ._models.event import WebhookEvent
from ._models.generated import CallbackSecret, Delivery, Endpoint, EventType
from ._models.times import format_time
from .jobs import delete_once
from .signatures import TOLERANCE_SECONDS, RawBody, Secrets, sign_test_header, verify_webhook

PATH = "/api/webhooks/endpoints"
DELIVERIES_PATH = "/api/webhooks/deliveries"
CALLBACK_PATH = "/api/webhooks/callback-secret"


def _key_of(given: Optional[str]) -> str:
    return new_idempotency_key() if given is None else given


class Unchanged(Enum):
    """The value of an omitted argument, where None has a meaning."""

    UNCHANGED = 0


UNCHANGED = Unchanged.UNCHANGED


def _description_of(given: Union[str, None, Unchanged]) -> object:
    if given is None:
        return NULL
    return None if isinstance(given, Unchanged) else given


def endpoint_path(endpoint_id: str) -> str:
    """The path of one endpoint."""
    return f"{PATH}/{segment(endpoint_id)}"


class Endpoints:
    """Webhook endpoints: URLs that receive events. Requires the scope ``webhook:manage``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        url: str,
        *,
        events: Optional[Sequence[str]] = None,
        description: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Endpoint:
        """Registers an endpoint. The response contains the ``secret``, which is never shown again."""
        body: Dict[str, Any] = {
            "url": url,
            "events": None if events is None else list(events),
            "description": description,
            "metadata": metadata,
        }
        request = json_request("POST", PATH, body, _key_of(idempotency_key))
        return self._transport.read(request, Endpoint.from_json, timeout)

    def get(self, endpoint_id: str, *, timeout: Optional[float] = None) -> Endpoint:
        """One endpoint."""
        return self._transport.read(Request("GET", endpoint_path(endpoint_id)), Endpoint.from_json, timeout)

    def list(self, *, limit: Optional[int] = None, timeout: Optional[float] = None) -> Paged[Endpoint]:
        """Endpoints, newest first; ``timeout``: seconds for each page."""
        return Paged(self._transport, PATH, {"limit": limit}, Endpoint.from_json, timeout)

    def update(
        self,
        endpoint_id: str,
        *,
        url: Optional[str] = None,
        events: Optional[Sequence[str]] = None,
        description: Union[str, None, Unchanged] = UNCHANGED,
        metadata: Optional[Mapping[str, str]] = None,
        enabled: Optional[bool] = None,
        timeout: Optional[float] = None,
    ) -> Endpoint:
        """Changes only the given fields; None removes the description."""
        body: Dict[str, Any] = {
            "url": url,
            "events": None if events is None else list(events),
            "description": _description_of(description),
            "metadata": metadata,
            "enabled": enabled,
        }
        request = json_request("PATCH", endpoint_path(endpoint_id), body)
        return self._transport.read(request, Endpoint.from_json, timeout)

    def delete(self, endpoint_id: str, *, timeout: Optional[float] = None) -> None:
        """Deletes an endpoint and its deliveries."""
        delete_once(self._transport, endpoint_path(endpoint_id), timeout)

    def ping(
        self, endpoint_id: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None
    ) -> Delivery:
        """Sends a ``ping``, regardless of the event types of the endpoint."""
        headers = {"idempotency-key": _key_of(idempotency_key)}
        request = Request("POST", f"{endpoint_path(endpoint_id)}/ping", headers=headers)
        return self._transport.read(request, Delivery.from_json, timeout)

    def rotate_secret(
        self,
        endpoint_id: str,
        *,
        overlap_seconds: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Endpoint:
        """Creates a new secret. The old one also signs for ``overlap_seconds`` (default: a day)."""
        path = f"{endpoint_path(endpoint_id)}/rotate-secret"
        body = {"overlapSeconds": overlap_seconds}
        request = json_request("POST", path, body, _key_of(idempotency_key))
        return self._transport.read(request, Endpoint.from_json, timeout)

    def recover(self, endpoint_id: str, since: datetime, *, timeout: Optional[float] = None) -> int:
        """Sends all events again that the endpoint missed since that time. Returns the number of deliveries.
        """
        path = f"{endpoint_path(endpoint_id)}/recover"
        # Deliveries in progress are not sent twice, so the request is safe to repeat.
        request = json_request("POST", path, {"since": format_time(since)}, is_repeatable=True)
        return self._transport.read(request, lambda answer: int(answer["deliveries"]), timeout)


class Deliveries:
    """Webhook deliveries, with all attempts."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, delivery_id: str, *, timeout: Optional[float] = None) -> Delivery:
        """One delivery."""
        path = f"{DELIVERIES_PATH}/{segment(delivery_id)}"
        return self._transport.read(Request("GET", path), Delivery.from_json, timeout)

    def list(
        self,
        *,
        endpoint_id: Optional[str] = None,
        event_type: Optional[str] = None,
        status: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Paged[Delivery]:
        """Deliveries, newest first; ``timeout``: seconds for each page."""
        query = {"endpointId": endpoint_id, "eventType": event_type, "status": status, "limit": limit}
        return Paged(self._transport, DELIVERIES_PATH, query, Delivery.from_json, timeout)

    def redeliver(self, delivery_id: str, *, timeout: Optional[float] = None) -> Delivery:
        """Sends a delivery again."""
        path = f"{DELIVERIES_PATH}/{segment(delivery_id)}/redeliver"
        return self._transport.read(Request("POST", path, is_repeatable=False), Delivery.from_json, timeout)


class CallbackSecrets:
    """The secret of the account that signs requests to ``callback_url``. Requires the scope ``webhook:manage``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, *, timeout: Optional[float] = None) -> CallbackSecret:
        """When the account got the secret that signs requests to ``callback_url``. Never returns the secret
        itself.
        """
        return self._transport.read(Request("GET", CALLBACK_PATH), CallbackSecret.from_json, timeout)

    def rotate(
        self,
        *,
        overlap_seconds: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> CallbackSecret:
        """Creates or replaces the callback secret. The response contains the ``secret``, which is never shown
        again.

        Use it with ``verify`` like the secret of an endpoint. A replaced secret also signs for
        ``overlap_seconds`` (default: a day).
        """
        request = json_request(
            "POST", CALLBACK_PATH, {"overlapSeconds": overlap_seconds}, _key_of(idempotency_key)
        )
        return self._transport.read(request, CallbackSecret.from_json, timeout)


class Webhooks:
    """Webhooks of the account, and functions for receivers."""

    sign_test_header: Callable[..., str] = staticmethod(sign_test_header)

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.endpoints = Endpoints(transport)
        self.deliveries = Deliveries(transport)
        self.callback_secret = CallbackSecrets(transport)

    def events(self, *, timeout: Optional[float] = None) -> List[EventType]:
        """Every event type."""
        request = Request("GET", "/api/webhooks/events")
        return self._transport.read(
            request, lambda answer: [EventType.from_json(each) for each in answer["data"]], timeout
        )

    @staticmethod
    def verify(
        body: RawBody,
        header: Optional[str],
        secret: Secrets,
        *,
        tolerance_seconds: float = TOLERANCE_SECONDS,
    ) -> WebhookEvent:
        """The same as ``verify_webhook``."""
        return verify_webhook(body, header, secret, tolerance_seconds=tolerance_seconds)
