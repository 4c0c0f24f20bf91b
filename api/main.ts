import { runRoom } from '#infra/run-room'
import { startApi } from './start.ts'

await runRoom('api', startApi)
