import type { Env } from '#infra/env'
import type { MqttAddresses } from '#schema/device/enrol'

/** The broker's addresses, returned with every new login of a device or source, for the person who configures it. */
export const mqttAddressesOf = (env: Pick<Env, 'MQTT_ADDRESS' | 'MQTTS_ADDRESS'>): MqttAddresses => ({
  plain: env.MQTT_ADDRESS,
  tls: env.MQTTS_ADDRESS,
})
