// It lets functions have no body.
