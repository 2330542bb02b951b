"""No models. Django sends post_migrate, which installs the broker's tables, only to apps that have this file."""
