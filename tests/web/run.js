// run.js WASM TOOL -- all tests of the core, against the command-line tool.
import { runTests } from './t.js';
import './test_bytes.js';
import './test_steps.js';
import './test_core.js';
import './test_hostile.js';

await runTests();
