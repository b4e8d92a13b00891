import FirnPlatform
import FirnTesting
import Glibc

/// A crew of real processes over one database, with a journal of all acknowledgements.
///
/// The journal is the content of the pipes: it is independent of the database.
final class CrewWatch {
    /// The longest time that the death of one process may block another.
    private static let blockedNanosecondsMax: UInt64 = 2_000_000_000
    private static let stoppingNanosecondsMax: UInt64 = 30_000_000_000

    /// One role in the crew, filled by one process after the other.
    private final class Place {
        let role: CrewRole
        let number: Int
        var process: PipedProcess
        /// The time of its process's last sign of progress.
        var lastSign: UInt64?
        /// The number of its processes killed since its last acknowledged commit.
        var deaths: UInt64 = 0

        init(role: CrewRole, number: Int, process: PipedProcess) {
            self.role = role
            self.number = number
            self.process = process
        }
    }

    private let executable: String
    private let path: String
    private var places: [Place] = []
    /// Observes the commits of the crew; killed like the others.
    private var observer: CrewObserver
    private var generator: SplitMix64
    private let clock = SystemClock()

    /// The last acknowledged sequence of each member that commits.
    private(set) var sequences: [Int: UInt64] = [:]
    /// The last acknowledged version of any member.
    private(set) var version: UInt64 = 0
    /// The commit of each acknowledged version.
    private var versions: [UInt64: (member: Int, sequence: UInt64)] = [:]
    /// All events delivered to observers.
    private(set) var events: Set<CrewObserver.Event> = []
    private(set) var commitCount = 0
    private(set) var snapshotCount = 0
    private(set) var foldCount = 0
    private(set) var observerDeaths = 0
    /// The longest time that a living process was without a commit or a snapshot.
    private(set) var longestBlock: UInt64 = 0
    /// All broken invariants.
    private(set) var breaches: [String] = []

    init(_ roles: [CrewRole], path: String, seed: UInt64) throws {
        executable = try builtExecutable(named: "firn-stress-worker")
        self.path = path
        generator = SplitMix64(seed: seed)
        observer = try CrewObserver(path)
        for (number, role) in roles.enumerated() {
            places.append(
                Place(role: role, number: number, process: try start(role, number)))
        }
    }

    private func start(_ role: CrewRole, _ number: Int) throws -> PipedProcess {
        let seed = generator.next() >> 1
        return try PipedProcess(executable, [role.rawValue, path, "\(number)", "\(seed)"])
    }

    // MARK: Watching

    /// Lets the crew work, and reads its messages.
    func listen(milliseconds: UInt64) {
        let end = clock.monotonicNanoseconds() + milliseconds * 1_000_000
        while true {
            let now = clock.monotonicNanoseconds()
            guard now < end else { return }
            PipedProcess.receive(
                places.map(\.process) + [observer.process], seconds: Double(end - now) / 1e9)
            hearObserver()
            if !observer.process.isTalking {
                breaches.append("the observer ended by itself")
                return
            }
            for place in places {
                hear(place)
                if !place.process.isTalking {
                    breaches.append("\(place.role) \(place.number) ended by itself")
                    return
                }
            }
        }
    }

    private func hearObserver() {
        do {
            events.formUnion(try observer.events())
        } catch {
            breaches.append("\(error)")
        }
    }

    private func hear(_ place: Place) {
        for line in place.process.lines() { note(CrewMessage(line: line), from: place) }
    }

    private func note(_ message: CrewMessage, from place: Place) {
        switch message {
        case .start: break
        case .commit(let sequence, let version, _): noteCommit(sequence, version, place)
        case .saw: snapshotCount += 1
        case .folded: foldCount += 1
        case .closed: break
        case .broken(let text): breaches.append(text)
        }
        if let time = message.nanoseconds { noteSign(place, time) }
    }

    private func noteCommit(_ sequence: UInt64, _ version: UInt64, _ place: Place) {
        commitCount += 1
        // Each process may have died between a commit and its acknowledgement.
        let last = sequences[place.number, default: 0]
        if sequence <= last || sequence > last + 1 + place.deaths {
            breaches.append("member \(place.number): \(sequence) was acknowledged after \(last)")
        }
        sequences[place.number] = sequence
        place.deaths = 0
        if versions.updateValue((place.number, sequence), forKey: version) != nil {
            breaches.append("version \(version) was acknowledged twice")
        }
        self.version = max(self.version, version)
    }

    /// Measures the time without progress of a process. One step of a compactor may take long.
    private func noteSign(_ place: Place, _ time: UInt64) {
        guard place.role != .compactor else { return }
        if let last = place.lastSign {
            let block = time - min(time, last)
            longestBlock = max(longestBlock, block)
            if block > Self.blockedNanosecondsMax {
                breaches.append(
                    "\(place.role) \(place.number) was blocked for \(block / 1_000_000) ms")
            }
        }
        place.lastSign = time
    }

    // MARK: Deaths

    /// Kills one of them at random and starts another in its place.
    func killOne() throws {
        guard Int.random(in: 0...places.count, using: &generator) < places.count else {
            return try killObserver()
        }
        guard let place = places.randomElement(using: &generator) else { return }
        place.process.kill()
        let killed = clock.monotonicNanoseconds()
        // Every message is a promise, including those still in the pipe.
        let end = place.process.finish()
        hear(place)
        noteSign(place, killed)
        if end.signal != SIGKILL {
            breaches.append("\(place.role) \(place.number) ended before it was killed: \(end)")
        }
        place.lastSign = nil
        place.deaths += 1
        place.process = try start(place.role, place.number)
    }

    private func killObserver() throws {
        observer.process.kill()
        let end = observer.process.finish()
        // Its output was delivered, including the part still in the pipe.
        hearObserver()
        if end.signal != SIGKILL {
            breaches.append("the observer ended before it was killed: \(end)")
        }
        observerDeaths += 1
        observer = try CrewObserver(path)
    }

    /// A time between two kills.
    func randomMilliseconds() -> UInt64 { UInt64.random(in: 1...80, using: &generator) }

    /// Stops all, and reads their last messages.
    func stopAll() {
        for place in places { place.process.say("stop") }
        defer {
            // If it were killed, its shared memory would remain until the next write.
            observer.process.send(signal: Signals.terminate)
            _ = observer.process.finish()
            hearObserver()
        }
        let deadline = clock.monotonicNanoseconds() + Self.stoppingNanosecondsMax
        while places.contains(where: { $0.process.isTalking }),
            clock.monotonicNanoseconds() < deadline
        {
            PipedProcess.receive(places.map(\.process) + [observer.process], seconds: 1)
            hearObserver()
            for place in places { hear(place) }
        }
        for place in places {
            if place.process.isTalking {
                breaches.append("\(place.role) \(place.number) did not stop")
                place.process.kill()
            }
            let end = place.process.finish()
            if end.status != 0 {
                breaches.append("\(place.role) \(place.number) did not end in order: \(end)")
            }
        }
    }

    /// Checks that observers were notified of commits only, each with its content.
    ///
    /// - Parameter sequences: the number of commits of each member at the end.
    func checkEvents(_ sequences: [Int: UInt64], _ version: UInt64) {
        var known = versions
        for event in events {
            guard event.version <= version, event.sequence <= sequences[event.member, default: 0]
            else {
                breaches.append("\(event) was delivered and never committed")
                continue
            }
            // A member that died before the acknowledgement still committed: then observers agree.
            let commit = known[event.version] ?? (event.member, event.sequence)
            known[event.version] = commit
            if commit != (event.member, event.sequence) {
                breaches.append("\(event) was delivered, but the version is \(commit)")
            }
        }
    }
}
