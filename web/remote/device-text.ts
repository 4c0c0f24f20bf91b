/** "Office (SN-1)": approvers know devices by their names. */
export const deviceText = ({ deviceName, deviceSn }: { deviceName: string; deviceSn: string }) =>
  deviceName === '' || deviceName === deviceSn ? deviceSn : `${deviceName} (${deviceSn})`
