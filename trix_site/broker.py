"""pgmq as a broker whose database may go away and come back: Celery's `pgmq://` means this transport."""

from kombu.transport import TRANSPORT_ALIASES, pgmq


class Channel(pgmq.Channel):
    """Gives up a delivery whose acknowledgement fails, instead of counting it as being worked on for ever.

    Celery fetches nothing while a worker's deliveries fill its prefetch window. The message comes back after
    the visibility timeout, as that of a lost worker does.
    """

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        try:
            super().basic_ack(delivery_tag, multiple)
        except Transport.connection_errors:
            self.qos.ack(delivery_tag)
            raise  # Celery logs it.

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        try:
            super().basic_reject(delivery_tag, requeue)
        except Transport.connection_errors:
            self.qos.reject(delivery_tag, requeue=False)
            raise


class Transport(pgmq.Transport):
    Channel = Channel


def register() -> None:
    TRANSPORT_ALIASES["pgmq"] = "trix_site.broker:Transport"
