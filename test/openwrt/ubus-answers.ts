/** Answers of ubus as a router with OpenWrt 24.10 gives them, shortened: OBJECT-METHOD. */
export const ubusAnswers: Readonly<Record<string, unknown>> = {
  'system-board': {
    kernel: '6.6.86',
    hostname: 'shop-17',
    system: 'MediaTek MT7621 ver:1 eco:3',
    model: 'Example R200',
    board_name: 'example,r200',
    rootfs_type: 'squashfs',
    release: {
      distribution: 'OpenWrt',
      version: '24.10.1',
      revision: 'r28597-0425664679',
      target: 'ramips/mt7621',
      description: 'OpenWrt 24.10.1 r28597-0425664679',
    },
  },
  'network.interface-dump': {
    interface: [
      {
        interface: 'lan',
        up: true,
        pending: false,
        uptime: 3600,
        l3_device: 'br-lan',
        proto: 'static',
        device: 'br-lan',
        'ipv4-address': [{ address: '192.168.1.1', mask: 24 }],
        route: [],
        'dns-server': [],
      },
      {
        interface: 'wan',
        up: true,
        pending: false,
        uptime: 3590,
        l3_device: 'eth0',
        proto: 'dhcp',
        device: 'eth0',
        'ipv4-address': [{ address: '192.0.2.17', mask: 20 }],
        route: [{ target: '0.0.0.0', mask: 0, nexthop: '192.0.2.1', source: '192.0.2.17/32' }],
        'dns-server': ['192.0.2.53', '192.0.2.54'],
      },
    ],
  },
  'network.wireless-status': {
    radio0: {
      up: true,
      pending: false,
      autostart: true,
      disabled: false,
      config: { channel: '36', band: '5g', htmode: 'HE80' },
      interfaces: [
        {
          section: 'default_radio0',
          ifname: 'phy0-ap0',
          config: {
            mode: 'ap',
            ssid: 'Shop "guests"',
            encryption: 'psk2',
            key: 'never-told-88',
            network: ['lan'],
          },
        },
      ],
    },
  },
  'service-list': {
    dnsmasq: { instances: { cfg01411c: { running: true, pid: 1734, command: ['/usr/sbin/dnsmasq'] } } },
    dropbear: { instances: { instance1: { running: true, pid: 1240 } } },
  },
}
