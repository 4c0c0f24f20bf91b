import { describe, expect, it } from 'vitest'
import { deviceDoc } from '../sample-doc.ts'
import { changedLines, triedPage } from '../tried-page.ts'
import { remoteService } from './remote-service.ts'

const page = triedPage(remoteService, deviceDoc)

it('reads the ports from the addresses to listen at', () => {
  expect(page.values).toMatchObject({
    httpPort: 80,
    httpsPort: null,
    ssh: true,
    sshPort: 2222,
    telnet: false,
    remoteWeb: false,
    networks: [],
  })
})

it('keeps the addresses when the port changes', () => {
  expect(page.lines({ httpPort: 8080, httpsPort: 8443 }, 'uhttpd')).toEqual([
    "- list listen_http '0.0.0.0:80'",
    "- list listen_http '[::]:80'",
    "+ list listen_http '0.0.0.0:8080'",
    "+ list listen_http '[::]:8080'",
    "+ list listen_https '0.0.0.0:8443'",
    "+ list listen_https '[::]:8443'",
  ])
})

it('switches SSH off, whatever the section is called', () => {
  expect(page.lines({ ssh: false }, 'dropbear')).toEqual(["+ option enable '0'"])
})

describe('from outside', () => {
  const open = { remoteSsh: true, networks: ['203.0.113.0/24'] }

  it('networks need something that is opened to them, and may stay when it is closed', () => {
    expect(page.faults({ networks: open.networks })).toEqual(['networks remote-service:fault.nothingOpened'])
    expect(page.faults(open)).toEqual([])
    expect(triedPage(remoteService, page.write(open)).faults({ remoteSsh: false })).toEqual([])
  })

  it('adds a rule for these networks, found by its name', () => {
    expect(page.lines(open, 'firewall')).toEqual([
      '+ config rule',
      "+ option name 'Allow-Remote-SSH'",
      "+ option src 'wan'",
      "+ list src_ip '203.0.113.0/24'",
      "+ option proto 'tcp'",
      "+ option dest_port '2222'",
      "+ option target 'ACCEPT'",
    ])
  })

  it('follows a changed port, and is disabled in place', () => {
    const opened = page.write(open)
    const next = triedPage(remoteService, opened)
    expect(next.values).toMatchObject(open)
    expect(next.lines({ sshPort: 22 }, 'firewall')).toEqual([
      "- option dest_port '2222'",
      "+ option dest_port '22'",
    ])
    expect(changedLines(opened, next.write({ remoteSsh: false }), 'firewall')).toEqual([
      "+ option enabled '0'",
    ])
  })

  it('is refused without networks, and for services that are off', () => {
    expect(page.faults({ remoteSsh: true, ssh: false })).toEqual([
      'remoteSsh remote-service:fault.sshOff',
      'networks remote-service:fault.noNetworks',
    ])
    expect(page.faults({ remoteWeb: true, httpPort: null, networks: ['10.0.0.0/8'] })).toEqual([
      'remoteWeb remote-service:fault.webOff',
    ])
  })
})

it('refuses two services on one port, and Telnet on a device without it', () => {
  expect(page.faults({ sshPort: 80, telnet: true })).toEqual([
    'sshPort remote-service:fault.portTaken',
    'telnet remote-service:fault.noTelnet',
  ])
  expect(page.faults({ telnet: true }, ['telnet'])).toEqual([])
  expect(page.faults({ redirect: true })).toEqual(['redirect remote-service:fault.noHttps'])
})

it('refuses bad ports and networks in the form and on the server', () => {
  const paths = ['httpPort', 'sshPort']
  expect(page.bounds({ httpPort: 0, sshPort: 70_000 })).toEqual({ server: paths, form: paths })
  expect(page.bounds({ networks: ['10.0.0.0'] })).toEqual({ server: ['networks.0'], form: ['networks'] })
})
