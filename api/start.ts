import type { AddressInfo, Socket } from 'node:net'
import type { Context } from '#infra/context'
import { isMqttPath, mqttForwarder } from './mqtt-forward.ts'
import { startServingBeat } from './platform/serving-beat.ts'
import { isSessionPath } from './remote/session-sockets.ts'
import { startRemote } from './remote/start-remote.ts'
import { buildServer } from './server.ts'

/**
 * Starts the API and the console on HTTP_HOST:HTTP_PORT. @throws EADDRINUSE, or if the declarations are inconsistent.
 */
export async function startApi(context: Context): Promise<{ port: number; close(): Promise<void> }> {
  const app = await buildServer(context)
  const remote = await startRemote(context)
  const forward = mqttForwarder(context)
  app.server.on('upgrade', (request, socket: Socket, head: Buffer) => {
    if (isMqttPath(request.url)) void forward(request, socket, head)
    else if (remote && isSessionPath(request.url)) remote.upgrade(request, socket, head)
    else socket.destroy()
  })
  await app.listen({ host: context.env.HTTP_HOST, port: context.env.HTTP_PORT })
  const serving = startServingBeat(context)
  const close = async () => {
    await serving.close()
    await remote?.close()
    await app.close()
  }
  return { port: (app.server.address() as AddressInfo).port, close }
}
