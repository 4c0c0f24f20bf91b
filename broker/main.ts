import '#infra/quick-start'

const [{ runRoom }, { startBroker }] = await Promise.all([import('#infra/run-room'), import('./start.ts')])
await runRoom('broker', startBroker)
