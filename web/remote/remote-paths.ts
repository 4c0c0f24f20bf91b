/** Addresses of the pages of remote operation; the device page links to them. */
export const terminalPath = (deviceId: number, sn: string) =>
  `/terminal/webssh/${deviceId}/${encodeURIComponent(sn)}`
export const webPath = (deviceId: number, sn: string) => `/web/${deviceId}/${encodeURIComponent(sn)}`
export const operationPath = (deviceId: number, sn: string) =>
  `/gateone/${deviceId}/${encodeURIComponent(sn)}`
