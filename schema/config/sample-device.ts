/** Packages of the device side for the tests of pages: as small as they can be with what must be kept. */
import { parseUci } from './uci.ts'

const deviceTexts = {
  system: `
config system
	option hostname 'shop-17'
	option timezone 'CET-1CEST,M3.5.0,M10.5.0/3'
	option zonename 'Europe/Berlin'
	option log_size '64'

config timeserver 'ntp'
	list server '0.pool.ntp.example'
	list server '192.168.8.9'

config gpio_switch 'pump'
	option name 'Pump'
	option gpio_pin '17'
	option value '1'

config gpio_switch
	option name 'Light'
	option gpio_pin 'relay-2'
	option shutdown_value '0'

config led 'wan_led'
	option trigger 'netdev'
`,
  wireless: `
config wifi-device 'radio0'
	option type 'mac80211'
	option channel '6'

config wifi-iface 'home'
	option device 'radio0'
	option mode 'ap'
	option network 'lan'
	option ssid 'Shop'

config wifi-iface
	option device 'radio0'
	option mode 'sta'
	option network 'wan'
	option ssid 'Mall'
	option encryption 'psk2+ccmp'
	option key 'over the counter'
`,
  firewall: `
config defaults
	option input 'REJECT'

config zone
	option name 'lan'
	list network 'lan'

config zone
	option name 'wan'
	list network 'wan'
	option input 'REJECT'
`,
  dhcp: `
config dhcp 'lan'
	option interface 'lan'
	option start '100'
`,
  dropbear: `
config dropbear
	option Port '2222'
	option PasswordAuth 'off'
	option BannerFile '/etc/banner'
`,
  uhttpd: `
config uhttpd 'main'
	list listen_http '0.0.0.0:80'
	list listen_http '[::]:80'
	option home '/www'
`,
  rpcd: `
config login
	option username 'root'
	option password '$p$root'
	list read '*'
	list write '*'

config login
	option username 'guest'
	option password '$5$salt$hash'
	list read 'luci-access'
`,
  watchcat: `
config watchcat
	option mode 'ping'
	option period '6h'
	option pinghosts '192.0.2.1 ntp.example'
	option reset_failure_timer '1'
`,
  ser2net: `
config ser2net 'global'
	option enabled '1'

config controlport
	option enabled '0'
	option port '2000'

config proxy
	option enabled '1'
	option port '5000'
	option protocol 'telnet'
	option device '/dev/ttyUSB0'
	option baudrate '115200'
	option rtscts 'false'
	option led_tx 'green'
`,
  mbusd: `
config mbusd
	option enabled '0'
	option device '/dev/ttyUSB1'
	option parity 'n'
	option rtu_retries '2'
	option loglevel '2'
`,
  serial: `
config port 'rs485'
	option name 'Meters'
	option device '/dev/ttyS1'
	option standard 'rs485'
	option mode 'mqtt'
	option host 'mqtt.example'
	option host_port '8883'
	option publish 'shop/meters'
	option prefix '0x0102'
	option later 'kept'

config port 'rs232'
	option device '/dev/ttyS2'
`,
  sms: `
config sms 'control'
	option enabled '1'

config sender
	option name 'Service'
	option number '+8613800138000'
	list may 'status'
	list may 'reboot'
`,
  sensors: `
config sensor
	option name 'Cold store'
	option kind 'temperature'
	option bus 'onewire'
	option port '28-0316a2795dff'
	option high '-17.5'
`,
} as const

export const deviceParts = Object.fromEntries(
  Object.entries(deviceTexts).map(([name, text]) => [name, parseUci(name, text)]),
)
