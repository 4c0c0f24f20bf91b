import '#infra/quick-start'

const [{ runRoom }, { startWorkers }] = await Promise.all([import('#infra/run-room'), import('./start.ts')])
await runRoom('workers', startWorkers)
