/** `npm run device-sim` */
import '#infra/quick-start'

await import('./run.ts')
