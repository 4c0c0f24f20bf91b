import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

/** The console with hot reload; its calls go to the API started here. */
export async function startDevServer(env: NodeJS.ProcessEnv): Promise<void> {
  process.env['HTTP_PORT'] = env['HTTP_PORT'] ?? '8080'
  const server = await createServer({
    configFile: fileURLToPath(new URL('../web/vite.config.ts', import.meta.url)),
    server: { host: '127.0.0.1' },
  })
  await server.listen()
  process.stdout.write(`console with hot reload: ${server.resolvedUrls?.local[0] ?? ''}\n`)
}
