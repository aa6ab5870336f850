#!/usr/bin/env node
// `holdfast <command>`: builds what is stale, then runs the command in this process.
process.argv.splice(2, 0, 'dist/holdfast.js');
await import('../../tools/run.mjs');
