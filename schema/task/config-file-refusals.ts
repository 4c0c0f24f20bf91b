import { refusal } from '../kit/refusal.ts'

export const configFileRefusals = {
  configFileExists: refusal(370, 'config-file:refusal.configFileExists'),
  configFileInUse: refusal(371, 'config-file:refusal.configFileInUse'),
  restoreUnsupported: refusal(373, 'config-file:refusal.restoreUnsupported'),
  configFileGone: refusal(372, 'config-file:refusal.configFileGone'),
}
