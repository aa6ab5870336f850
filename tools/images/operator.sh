#!/bin/sh
# The command `operator` of the operator image, which `kubectl exec` finds in the PATH.
exec node "$(dirname "$0")/../dist/operator.js" "$@"
