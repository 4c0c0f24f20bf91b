/**
 * Setup of the broker's tests: a broker on its own database, a customer with devices, sockets that close with the
 * file.
 */
import { startBroker } from '#broker/start'
import { afterFile } from './after-file.ts'
import { testContext } from './harness.ts'
import { type Login, loginRaw, openRaw, type Raw } from './raw-mqtt.ts'
import { addDevices, seedTenants, type TestDevice } from './tenants.ts'

/** Call it at the top of a test file. @param count devices; @param prefix of their serial numbers */
export async function brokerTest(prefix: string, count: number, settings: Record<string, string> = {}) {
  const context = await testContext(settings)
  const tenants = await seedTenants(context)
  const { a } = tenants
  const devices = await addDevices(context.sql, a.customerId, a.groups.root, prefix, count)
  const broker = await startBroker(context)
  const open: Raw[] = []
  afterFile(async () => {
    for (const raw of open) raw.end()
    await broker.close()
  })
  const keep = <T extends Raw>(raw: T): T => {
    open.push(raw)
    return raw
  }
  let next = 0
  return {
    context,
    tenants,
    broker,
    devices,
    /** A device that no other test has used. */
    device: () => devices[next++] as TestDevice,
    dial: async () => keep(await openRaw(broker.ports.mqtt)),
    login: async (of: Login, over: Parameters<typeof loginRaw>[2] = {}) =>
      keep(await loginRaw(broker.ports.mqtt, of, over)),
    keep,
  }
}
