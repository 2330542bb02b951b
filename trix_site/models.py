"""No models. Only to an app with this file does Django send post_migrate, which installs the broker."""
