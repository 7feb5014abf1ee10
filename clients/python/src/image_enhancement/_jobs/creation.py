"""The creation of a job or a batch, and its cleanup when it is no longer wanted."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Callable, Generic, Iterator, Mapping, Optional, Protocol, TypeVar, Union

from .._http.answers import Answer
from .._http.attempts import is_verdict
from .._http.idempotency import new_idempotency_key
from .._files.inputs import job_form
from .._http.request import Request, json_request, segment
from .._http.transport import Transport
from .._limits.cancellation import without_cancellation
from .._limits.deadline import cut, within
from .._models.generated import Job
from ..errors import ApiError, ConflictError, GoneError, ImageEnhancementError, NotFoundError

PATH = "/api/ai/enhance"

_LONGEST_HOLD_SECONDS = 25.0
"""For the service to hold back the response: below the idle timeout of common proxies."""
_LAST_WORD_SECONDS = 5.0
"""For a last word to the service on behalf of somebody who has stopped waiting."""
_LAST_WORD_RETRIES = 2


def path_of(job_id: str) -> str:
    """The path of one job."""
    return f"{PATH}/{segment(job_id)}"


class _Created(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def status(self) -> str: ...


T = TypeVar("T", bound=_Created)


class Creation(Generic[T]):
    """One job or batch to be created at ``path``.

    A request without a response may have created it. Sending it again with its idempotency key resolves this.
    ``created`` is None until the service has returned it.
    """

    def __init__(
        self,
        transport: Transport,
        path: str,
        order: Mapping[str, Any],
        parse: Callable[[Any], T],
        idempotency_key: Optional[str] = None,
    ) -> None:
        self._transport = transport
        self._path = path
        self._parse = parse
        self.idempotency_key = new_idempotency_key() if idempotency_key is None else idempotency_key
        self._request = json_request("POST", path, order, self.idempotency_key)
        self.created: Optional[T] = None

    @property
    def is_in_doubt(self) -> bool:
        """Whether something may exist whose id is unknown."""
        return self.created is None and bool(self._request.unheard)

    def run(self, timeout: Optional[float] = None, max_retries: Optional[int] = None) -> T:
        """Creates it. ``timeout`` in seconds for each request."""
        self.created = self._transport.read(self._request, self._parse, timeout, max_retries)
        return self.created

    def run_or_abandon(self, timeout: Optional[float]) -> T:
        """Creates it. An interrupt meanwhile cancels what it may have created."""
        try:
            return self.run(timeout)
        except Exception:
            raise
        except BaseException as interrupt:
            abandon(self, interrupt)
            raise

    def find(self) -> None:
        """Finds out whether it exists, if the service can be reached in a short time. Never raises."""
        try:
            with _last_word():
                self._ask()
        except ImageEnhancementError:
            pass

    def withdraw(self) -> bool:
        """Makes sure that nothing remains that could be charged. Never raises.

        Returns whether that is certain: it never existed, is canceled, or had failed.
        """
        try:
            with _last_word():
                self._ask()
                return self.created is None or self._cancel(self.created.id)
        except ImageEnhancementError:
            return False

    def _ask(self) -> None:
        if not self.is_in_doubt:
            return
        try:
            self.run(max_retries=_LAST_WORD_RETRIES)
        except ImageEnhancementError as error:
            # Any other error leaves it open whether it exists. The key identifies it if it does.
            if not is_verdict(error):
                raise
            self._request.unheard.settle()

    def _cancel(self, created_id: str) -> bool:
        """Returns False if it had completed, and so was paid for."""
        path = f"{self._path}/{segment(created_id)}"
        try:
            self._transport.send(Request("POST", f"{path}/cancel"), max_retries=_LAST_WORD_RETRIES)
        except (GoneError, NotFoundError):
            pass
        except ConflictError:
            self.created = self._transport.read(Request("GET", path), self._parse, None, _LAST_WORD_RETRIES)
            return self.created.status != "completed"
        return True


class JobCreation(Creation[Job]):
    """One job to be created, from a source or from the bytes of ``image``, a file called ``file_name``."""

    def __init__(
        self,
        transport: Transport,
        order: Mapping[str, Any],
        idempotency_key: Optional[str] = None,
        image: Optional[bytes] = None,
        file_name: Optional[str] = None,
    ) -> None:
        super().__init__(transport, PATH, order, Job.from_json, idempotency_key)
        if image is not None:
            body, content_type = job_form(order, image, file_name)
            headers = {**self._request.headers, "content-type": content_type}
            self._request = replace(self._request, headers=headers, body=body)

    def picture(self) -> Union[bytes, str]:
        """Creates the job and reads the bytes of its result from the response, if they are ready in time.

        Returns the id of the job if they are not, or if it has failed. Raises ConnectionFailedError for a
        response that is neither an image nor a job, such as the login page of a proxy.
        """
        limit = cut(self._transport.file_limit(None))
        # The image must arrive in the rest of the time.
        hold = int(min(_LONGEST_HOLD_SECONDS, max(0.0, limit) / 2))
        headers = {**self._request.headers, "accept": "image/*", "prefer": f"wait={hold}"}
        try:
            return self._transport.take(replace(self._request, headers=headers), self._picture_or_id, limit)
        except ApiError as error:
            job_id = error.problem.get("jobId")
            if job_id is None:
                raise
            return str(job_id)

    def _picture_or_id(self, answer: Answer) -> Union[bytes, str]:
        if str(answer.headers.get("content-type")).startswith("image/"):
            return answer.body
        self.created = answer.read(Job.from_json)
        return self.created.id


@contextmanager
def _last_word() -> Iterator[None]:
    with without_cancellation(), within(_LAST_WORD_SECONDS):
        yield


def abandon(creation: Creation[Any], interrupt: BaseException) -> None:
    """After an interrupt, leaves nothing behind, or adds attributes to the interrupt that identify it."""
    if creation.withdraw():
        # Of the interrupted request.
        vars(interrupt).pop("idempotency_key", None)
        return
    if isinstance(creation, JobCreation):
        setattr(interrupt, "job_id", None if creation.created is None else creation.created.id)
    setattr(interrupt, "idempotency_key", creation.idempotency_key)
