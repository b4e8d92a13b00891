import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// The load of many files on one server: their real schedule of cycles against a model of the
/// server, which has some cores and a queue.
@Suite("Load of many files")
struct PollingSimulationTests {
    /// The time of a core of the server for a cycle without changes, in microseconds.
    ///
    /// Fifty files that followed a PostgreSQL 15, with a cycle every 5 seconds each, used 1.3 % of a
    /// core.
    private static let cycleMicroseconds = 1300
    private static let coreCount = 2

    /// One run.
    private struct Load: CustomStringConvertible {
        let clientCount: Int
        /// The time between two changes that all files get, in milliseconds; `nil` for none.
        let changeMilliseconds: Int?
        private(set) var cycleCount = 0
        /// The times from the wish for a cycle to its end, in microseconds.
        private var delays: [Int] = []
        private var busyMicroseconds = 0
        private static let seconds = 60

        var cyclesPerSecond: Int { cycleCount / Load.seconds }
        /// The share of the server's time that is used.
        var usage: Double {
            Double(busyMicroseconds) / Double(Load.seconds * coreCount * 1_000_000)
        }
        /// The delay of the slowest cycle in a hundred, in milliseconds.
        var slowestMilliseconds: Int {
            delays.isEmpty ? 0 : delays.sorted()[delays.count * 99 / 100] / 1000
        }

        var description: String {
            let changes = changeMilliseconds.map { "a change each \($0) ms" } ?? "no changes"
            return "\(clientCount) files, \(changes): \(cyclesPerSecond) cycles/s, "
                + "\(Int(usage * 100)) % of \(coreCount) cores, "
                + "99 % of the cycles within \(slowestMilliseconds) ms"
        }

        init(clientCount: Int, changeMilliseconds: Int?, seed: UInt64) {
            self.clientCount = clientCount
            self.changeMilliseconds = changeMilliseconds
            var random = SplitMix64(seed: seed)
            let end = Load.seconds * 1000
            // The files have been without changes for some time.
            var settled = PollSchedule()
            for _ in 0..<5 { settled.succeeded(isEmpty: true) }
            var schedules = [PollSchedule](repeating: settled, count: clientCount)
            // The time of each file's next cycle, which the hint of a change moves.
            var next = schedules.indices.map { _ in Int(random.next() % 5000) }
            var due = [[Int]](repeating: [], count: end)
            for (client, time) in next.enumerated() { due[time].append(client) }
            var free = [Int](repeating: 0, count: coreCount)
            var lastChange = -1
            var seen = [Int](repeating: -1, count: clientCount)
            for now in 0..<end {
                if let changeMilliseconds, now % changeMilliseconds == changeMilliseconds - 1 {
                    lastChange = now
                    // The hint of the file that sent the change.
                    for client in next.indices where next[client] > now {
                        next[client] = now
                        due[now].append(client)
                    }
                }
                for client in due[now] where next[client] == now {
                    let core = free[0] <= free[1] ? 0 : 1
                    let start = max(free[core], now * 1000)
                    free[core] = start + cycleMicroseconds
                    busyMicroseconds += cycleMicroseconds
                    cycleCount += 1
                    delays.append(free[core] - now * 1000)
                    schedules[client].succeeded(isEmpty: seen[client] >= lastChange)
                    seen[client] = now
                    next[client] = free[core] / 1000 + schedules[client].pause
                    if next[client] < end { due[next[client]].append(client) }
                }
            }
        }
    }

    @Test(
        "Files without changes cost the server one cycle each per five seconds, up to 5,000 files")
    func idle() {
        let seed = SystemEntropy().random64()
        for count in [1, 10, 50, 1000, 5000] {
            let load = Load(clientCount: count, changeMilliseconds: nil, seed: seed)
            print(load)
            #expect(load.cycleCount <= count * (60 / 5 + 1))
            #expect(load.slowestMilliseconds < 500, "seed \(seed): \(load)")
        }
        let many = Load(clientCount: 10_000, changeMilliseconds: nil, seed: seed)
        print(many)
        #expect(many.usage > 0.95, "beyond the knee")
    }

    @Test("A change for all files reaches each within the time that the server needs for all")
    func changes() {
        let seed = SystemEntropy().random64()
        for (count, interval) in [(50, 1000), (500, 1000), (1000, 5000), (10_000, 60_000)] {
            let load = Load(clientCount: count, changeMilliseconds: interval, seed: seed)
            print(load)
            let all = count * Self.cycleMicroseconds / Self.coreCount / 1000
            #expect(load.slowestMilliseconds <= all * 2 + 20, "seed \(seed): \(load)")
        }
    }
}
