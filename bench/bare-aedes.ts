/** The baseline: unmodified Aedes without login, guard or storage. Prints its port. */
import { type AddressInfo, createServer } from 'node:net'
import { Aedes } from 'aedes'

if (import.meta.main) {
  const aedes = await Aedes.createBroker()
  const server = createServer({ noDelay: true }, (socket) => void aedes.handle(socket))
  server.listen({ port: Number(process.env['MQTT_PORT'] ?? 0), host: '127.0.0.1', backlog: 4096 }, () =>
    process.send?.({ ready: 'bare-aedes', port: (server.address() as AddressInfo).port }),
  )
  process.on('disconnect', () => process.exit(0))
}
