"""The client for asyncio against the real service."""

from __future__ import annotations

import asyncio
import time
import unittest
from typing import List

import image_enhancement as ie

from . import stage


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.client = self.new_client(stage.new_key())

    def new_client(self, key: str) -> ie.AsyncClient:
        return ie.AsyncClient(key, stage.URL)

    async def asyncTearDown(self) -> None:
        await self.client.close()

    async def test_one_call(self) -> None:
        states: List[str] = []
        result = await self.client.enhance(
            stage.png(16, 16), "upscale", on_progress=lambda state: states.append(state.job.status)
        )
        self.assertEqual(stage.size_of_png(await result.bytes()), (32, 32))
        await asyncio.sleep(0)
        self.assertEqual(states[-1], "completed")

    async def test_many_at_once_and_lists(self) -> None:
        source = await self.client.upload(stage.png(8, 8))
        jobs = await asyncio.gather(*(self.client.jobs.create(source.url, "upscale") for _ in range(7)))
        listed = [job.id async for job in self.client.jobs.list(limit=3)]
        self.assertEqual(sorted(listed), sorted(job.id for job in jobs))
        ended = await asyncio.gather(*(self.client.jobs.wait(job.id) for job in jobs))
        self.assertEqual({job.status for job in ended}, {"completed"})
        self.assertEqual((await self.client.usage()).enhancements_used, 7)

    async def test_errors_are_the_same(self) -> None:
        with self.assertRaises(ie.NotFoundError):
            await self.client.jobs.get("job_nothing")

    async def test_a_cancelled_task_ends_at_once_and_cancels_its_job(self) -> None:
        stage.control("stop-worker")
        try:
            task = asyncio.create_task(self.client.enhance(stage.png(8, 8), "upscale"))
            for _ in range(200):
                await asyncio.sleep(0.05)
                if await self.client.jobs.list().all():
                    break
            await asyncio.sleep(0.3)
            started = time.monotonic()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            # A held answer takes 25 s: the connection was cut.
            self.assertLess(time.monotonic() - started, 15)
        finally:
            stage.control("start-worker")
        (job,) = await self.client.jobs.list().all()
        assert job.error is not None
        self.assertEqual(job.error.code, "canceled")


class WebhooksTest(unittest.TestCase):
    def test_the_life_of_an_endpoint(self) -> None:
        client = stage.new_client(str(stage.control("account", webhooks=True)["key"]))
        self.assertIn("job.completed", [entry.type for entry in client.webhooks.events()])
        endpoint = client.webhooks.endpoints.create(
            f"{stage.URL}/nowhere", events=["ping", "job.completed"], description="mine"
        )
        assert endpoint.secret is not None
        self.assertTrue(endpoint.secret.startswith("whsec_"))
        self.assertNotIn(endpoint.secret, repr(endpoint))
        renamed = client.webhooks.endpoints.update(endpoint.id, description="ours")
        self.assertEqual((renamed.description, renamed.secret), ("ours", None))
        rotated = client.webhooks.endpoints.rotate_secret(endpoint.id, overlap_seconds=60)
        self.assertNotEqual(rotated.secret, endpoint.secret)
        delivery = client.webhooks.endpoints.ping(endpoint.id)
        self.assertEqual((delivery.event_type, delivery.endpoint_id), ("ping", endpoint.id))
        self.assertEqual(client.webhooks.deliveries.get(delivery.id).id, delivery.id)
        self.assertEqual(
            [item.id for item in client.webhooks.deliveries.list(endpoint_id=endpoint.id)], [delivery.id]
        )
        client.webhooks.endpoints.delete(endpoint.id)
        self.assertEqual(client.webhooks.endpoints.list().all(), [])
