"""`base` holds what is common; `local`, `test` and `production` are thin overlays."""
