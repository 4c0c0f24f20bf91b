import { runRoom } from '#infra/run-room'
import { startWorkers } from './start.ts'

await runRoom('workers', startWorkers)
