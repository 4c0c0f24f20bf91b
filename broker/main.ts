import '#infra/quick-start'

const [{ runRoom }, { startBroker }, { startIngest }] = await Promise.all([
  import('#infra/run-room'),
  import('./start.ts'),
  import('./external/start.ts'),
])
await runRoom('broker', (context) =>
  context.env.BROKER === 'external' ? startIngest(context) : startBroker(context),
)
