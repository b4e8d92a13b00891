import FirnPlatform
import Foundation
import Testing

@testable import Firn

/// A thread of a program for Realm runs its run loop to receive notifications. The loop of a thread
/// here ended at once, because nothing was attached to it, and the blocks were never called.
@Suite("Threads with run loops")
struct RunLoopTests {
    /// Runs the loop of the current thread to its end.
    ///
    /// - Returns: `false` if it does not end within a minute.
    private static func runToEnd() -> Bool {
        let limit = Date(timeIntervalSinceNow: 60)
        while Date() < limit {
            guard RunLoop.current.run(mode: .default, before: limit) else { return true }
        }
        return false
    }

    @Test("A run loop calls the blocks of its thread, and ends with the last token")
    func blocks() async throws {
        let test = TestRealm()
        _ = try test.open()
        let counts = try await TestRealm.elsewhere { () throws -> [Int] in
            let realm = try test.open()
            let people = realm.objects(Person.self)
            let counts = Guarded<[Int]>([])
            let token = Guarded<NotificationToken?>(nil)
            let started = people.observe { change in
                counts.withLock { $0.append(people.count) }
                if people.isEmpty {
                    Thread.detachNewThread {
                        do {
                            let other = try test.open()
                            try other.write { other.add(Person()) }
                        } catch {
                            Issue.record(error)
                        }
                    }
                } else {
                    token.withLock { $0 }?.invalidate()
                }
            }
            token.withLock { $0 = started }
            // Only the block ends the loop.
            #expect(Self.runToEnd())
            return counts.withLock { $0 }
        }
        #expect(counts == [0, 1])
    }

    /// A commit wakes the loop with a reference of its own. If that was the last one, because the
    /// block had ended the observation in the meantime, the timer was invalidated on the thread of
    /// the commit, which does not wake the loop: it waited for ever, in one of 20 runs on a busy
    /// machine.
    @Test("A run loop ends when another thread drops the last reference")
    func lastReferenceElsewhere() async throws {
        var ends = true
        for _ in 0..<200 where ends {
            ends = try await TestRealm.elsewhere {
                let loop = Guarded<ThreadRunLoop?>(ThreadRunLoop())
                Thread.detachNewThread { loop.withLock { $0 = nil } }
                return Self.runToEnd()
            }
        }
        #expect(ends)
    }
}
