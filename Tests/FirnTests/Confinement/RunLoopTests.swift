import Firn
import FirnPlatform
import Foundation
import Testing

/// A thread of a program for Realm runs its run loop to receive notifications. The loop of a thread
/// here ended at once, because nothing was attached to it, and the blocks were never called.
@Suite("Threads with run loops")
struct RunLoopTests {
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
            // No time limit: only the block ends the loop.
            while RunLoop.current.run(mode: .default, before: .distantFuture) {}
            return counts.withLock { $0 }
        }
        #expect(counts == [0, 1])
    }
}
