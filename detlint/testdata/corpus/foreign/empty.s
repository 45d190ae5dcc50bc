// This file lets functions have no body.
