/** `npm start` */
import '#infra/quick-start'

await import('./launch.ts')
