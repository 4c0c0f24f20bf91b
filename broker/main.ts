import { runRoom } from '#infra/run-room'
import { startBroker } from './start.ts'

await runRoom('broker', startBroker)
