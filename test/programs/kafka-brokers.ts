/** A Kafka cluster of several brokers: librdkafka's own, with partitions that change their leaders when a test says so, and a consumer of it (kcat). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { noKafka } from './kafka.ts'

const PYTHON = '/usr/bin/python3'
/** kcat brings librdkafka. */
export const noBrokers = noKafka || !existsSync(PYTHON)

/** Prints the addresses; then obeys `lead PARTITION BROKER` and `down BROKER`, and answers each with 0. */
const CLUSTER = `
import ctypes, sys
lib = ctypes.CDLL("librdkafka.so.1")
for name in ("conf_new", "new", "handle_mock_cluster"):
    getattr(lib, "rd_kafka_" + name).restype = ctypes.c_void_p
lib.rd_kafka_mock_cluster_bootstraps.restype = ctypes.c_char_p
partitions, brokers, topic = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].encode()
why = ctypes.create_string_buffer(512)
conf = ctypes.c_void_p(lib.rd_kafka_conf_new())
lib.rd_kafka_conf_set(conf, b"test.mock.num.brokers", str(brokers).encode(), why, 512)
client = ctypes.c_void_p(lib.rd_kafka_new(0, conf, why, 512))
cluster = ctypes.c_void_p(lib.rd_kafka_handle_mock_cluster(client))
lib.rd_kafka_mock_topic_create(cluster, topic, partitions, brokers)
does = {
    "lead": lambda partition, broker: lib.rd_kafka_mock_partition_set_leader(cluster, topic, partition, broker),
    "down": lambda broker: lib.rd_kafka_mock_broker_set_down(cluster, broker),
}
for partition in range(partitions):
    does["lead"](partition, 1 + partition % brokers)
print(lib.rd_kafka_mock_cluster_bootstraps(cluster).decode(), flush=True)
for line in sys.stdin:
    word, *numbers = line.split()
    print(does[word](*map(int, numbers)), flush=True)
`

/** Partition n is led by broker `1 + n % brokers` at first. */
export async function startBrokers(topic: string, partitions: number, brokers: number) {
  const cluster = spawn(PYTHON, ['-c', CLUSTER, String(partitions), String(brokers), topic], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const said = createInterface({ input: cluster.stdout })
  const [addresses] = (await once(said, 'line')) as [string]
  const consumer = spawn(
    '/usr/bin/kcat',
    ['-C', '-t', topic, '-o', 'beginning', '-u', '-f', '%k %s\\n', '-b', addresses],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  /** `key body` of each message. */
  const printed: string[] = []
  createInterface({ input: consumer.stdout }).on('line', (line) => printed.push(line))
  const order = async (text: string) => {
    const answered = once(said, 'line')
    cluster.stdin.write(`${text}\n`)
    const [answer] = await answered
    if (answer !== '0') throw new Error(`${text}: ${answer}`)
  }
  return {
    addresses: addresses.split(',').map((one) => `kafka://${one}`),
    printed,
    lead: (partition: number, broker: number) => order(`lead ${partition} ${broker}`),
    down: (broker: number) => order(`down ${broker}`),
    close: async () => {
      const ended = [cluster, consumer].map((one) => once(one, 'exit'))
      for (const one of [cluster, consumer]) one.kill('SIGKILL')
      await Promise.all(ended)
    },
  }
}
