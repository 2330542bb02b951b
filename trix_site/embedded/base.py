"""The PostgreSQL backend of Django, on a cluster that is started by the first connection."""

from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base

from trix_site.embedded.cluster import Cluster


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        Cluster(Path(self.settings_dict["DATA_DIR"]), self.settings_dict["DURABLE"]).hold()
        return super().get_new_connection(conn_params)
