"""A worker process: takes one job at a time from the queue, runs it in the sandbox, and stores the outcome.

Its own memory and time stay small: files are read, meshed and judged in kernel children. On SIGTERM it takes nothing
new, waits a little while for the running job to end, and otherwise requeues it uncounted.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from functools import partial

from dbos import DBOS

from fettle.app import logs
from fettle.app.isolation import sandbox
from fettle.app.isolation.limits import Limits
from fettle.app.keeping.sweep import sweep
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.logs import about, start_log
from fettle.app.settings import Settings
from fettle.app.shared_state import open_state
from fettle.app.state.store import connect_ahead
from fettle.app.state.unavailable import PASSING, unavailable
from fettle.app.traces import start_traces, stop_traces
from fettle.app.webhooks.delivery import Deliveries
from fettle.app.work import attempts, queue
from fettle.app.work.attempts import STATE_AWAY, Abandoned, Attempt
from fettle.app.work.freed_memory import return_large_blocks
from fettle.app.work.heartbeat import Heartbeat
from fettle.app.work.pipeline import analyze_upload
from fettle.app.work.taking import Pause, take_jobs
from fettle.errors import FettleError, KernelKilled

log = logging.getLogger(__name__)

GRACE_S = 20.0
"""How long a running job may take to end once the worker was asked to stop."""

PAUSE_S = 1.0
"""Between two attempts of the same job in the same worker."""


STATE_THREADS = 5
"""Threads of a worker that read and write tables at once: its job and the next one that begins, its heartbeat, its
webhooks, and one to spare."""

HAND_OVER_S = 5.0
"""How long a worker that stops tries to put its job back into the queue. Without its database it ends all the same: the
job is taken over once its heartbeats are missed, as after a kill."""
AWAY_PAUSE_S = 5.0
"""Before the next attempt where the database or the store was away or full."""


class Worker:
    """One executor of the queue, under a unique name."""

    def __init__(self, settings: Settings, name: str) -> None:
        self.settings = settings
        self.name = name
        sandbox.preload(CHILD_MODULE)  # the kernel is loaded beside our own start
        state = open_state(settings)
        self.store, self.files, self.queue = state.store, state.files, state.queue
        remove_expired = partial(sweep, settings, self.store, self.files, self.queue)
        self.heartbeat = Heartbeat(settings, self.store, self.queue, remove_expired, self.name)
        self.deliveries = Deliveries(settings, self.store)
        self.stopping = threading.Event()
        self._current: tuple[str, Attempt] | None = None
        self._idle = threading.Condition()
        self._pause = Pause()

    def start(self) -> None:
        """Start the heartbeat, then take jobs."""
        connect_ahead(self.store.engine, STATE_THREADS)
        self.heartbeat.start()
        self.deliveries.start()
        dbos = DBOS(config=queue.worker_config(self.store, self.name))

        @DBOS.workflow(name=queue.WORKFLOW)
        def run_job(job_id: str, run: int) -> None:
            with about(logs.job_id, job_id):
                self.run_job(str(DBOS.workflow_id), job_id, run)
            self._pause.end()  # more may wait, of which all notices came long ago

        DBOS.listen_queues([])  # ours has a thread that can be woken
        DBOS.launch()
        take_jobs(dbos, self.store, self._pause)
        log.info("worker %s takes jobs", self.name)

    def stop(self, grace_s: float = GRACE_S) -> None:
        """Finish or requeue the running job, then exit the process: this does not return."""
        self.stopping.set()
        threading.Thread(target=self._end_after, args=(grace_s + HAND_OVER_S,), daemon=True).start()
        deadline = time.monotonic() + grace_s
        with self._idle:
            while self._current is not None and time.monotonic() < deadline:
                self._idle.wait(deadline - time.monotonic())
            current = self._current
        if current is not None:
            workflow_id, attempt = current
            try:
                attempt.release()
            except Abandoned:
                log.info("job %s has another worker; not requeued", attempt.job_id)
            else:
                self.queue.requeue(workflow_id)
        self.deliveries.stop()
        self.heartbeat.stop()
        log.info("worker %s has stopped", self.name)
        stop_traces()
        logging.shutdown()
        os._exit(0)  # threads of the queue and the running job would block an orderly exit; the children end with us

    def _end_after(self, seconds: float) -> None:
        time.sleep(seconds)
        log.warning("worker %s has not stopped in %.0f s and ends without handing its job over", self.name, seconds)
        os._exit(1)

    def run_job(self, workflow_id: str, job_id: str, run: int) -> None:
        """Attempt a job until it has ended, here or on another worker."""
        while True:
            if self.stopping.is_set():
                self.queue.requeue(workflow_id)
                threading.Event().wait()  # the job is back in the queue; this process is about to exit
            attempt = attempts.begin(self.store, self.settings, self.name, job_id, run)
            if attempt is None:
                return
            with self._idle:
                self._current = (workflow_id, attempt)
            try:
                ended = self._try(workflow_id, attempt)
            except Abandoned:
                self._abandon(attempt)
                return
            finally:
                with self._idle:
                    self._current = None
                    self._idle.notify_all()
            if ended:
                return
            time.sleep(PAUSE_S)

    def _limits(self, workflow_id: str) -> Limits:
        """The second core is for other jobs first: this one has it where none waits or runs."""
        alone = self.queue.is_only(workflow_id)
        return self.settings.limits_alone if alone else self.settings.kernel_limits

    def _try(self, workflow_id: str, attempt: Attempt) -> bool:
        """One attempt; True when the job has ended, False when it is worth another."""
        try:
            within = self._limits(workflow_id)
            attempt.finish(analyze_upload(self.files, self.settings, attempt, within))
        except KernelKilled as error:
            log.warning("job %s: %s", attempt.job_id, error)
            return False
        except FettleError as error:
            attempt.fail(str(error), error.code)
        except Abandoned:
            raise
        except Exception as error:
            if unavailable(error) is not None:
                self._wait_for_state(attempt)
            else:
                log.exception("job %s failed unexpectedly", attempt.job_id)
            return False
        return True

    def _wait_for_state(self, attempt: Attempt) -> None:
        """The database or the store is away or full: that is no fault of the job, so the attempt does not count."""
        log.exception("job %s waits until database and store take its result", attempt.job_id)
        self.stopping.wait(AWAY_PAUSE_S)
        try:
            attempt.release(STATE_AWAY)
        except PASSING:
            log.warning("job %s: the database is still away; this attempt counts", attempt.job_id)

    def _abandon(self, attempt: Attempt) -> None:
        log.info("job %s is no longer this worker's", attempt.job_id)
        if self.stopping.is_set():
            threading.Event().wait()  # requeued by `stop`, which ends this process
        if not attempt.exists():
            self.files.remove_all(f"jobs/{attempt.token}")


def main() -> None:
    """Run jobs until a signal asks to stop, or until the process that started this one is gone: then stdin closes."""
    settings = Settings()
    start_log(settings)
    start_traces(settings, "worker")
    os.nice(settings.worker_nice)  # the kernel children inherit it
    return_large_blocks()
    stop_requested = threading.Event()
    orphaned = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop_requested.set())

    def wait_for_owner() -> None:
        sys.stdin.buffer.read()
        orphaned.set()
        stop_requested.set()

    threading.Thread(target=wait_for_owner, daemon=True).start()
    worker = Worker(settings, sys.argv[1])
    worker.start()
    stop_requested.wait()
    worker.stop(0.0 if orphaned.is_set() else GRACE_S)
