import type { Env } from '#infra/env'
import type { MqttDoors } from '#schema/device/enrol'

/** The broker's addresses, returned with every new login of a device or source, for the person who configures it. */
export const mqttDoorsOf = (env: Pick<Env, 'MQTT_ADDRESS' | 'MQTTS_ADDRESS'>): MqttDoors => ({
  plain: env.MQTT_ADDRESS,
  tls: env.MQTTS_ADDRESS,
})
