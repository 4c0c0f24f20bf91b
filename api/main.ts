import '#infra/quick-start'

const [{ runRoom }, { startApi }] = await Promise.all([import('#infra/run-room'), import('./start.ts')])
await runRoom('api', startApi)
