/** The command line for scripts. */
import '#infra/quick-start'

await import('./program.ts')
