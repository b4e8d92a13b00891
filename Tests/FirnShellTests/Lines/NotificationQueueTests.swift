import FirnPlatform
import FirnTesting
import Testing

@testable import FirnShell

@Suite("Queue of notifications")
struct NotificationQueueTests {
    @Test("Five lines are shown per second, followed by the number of further lines")
    func limit() {
        let clock = SimulatedClock(seconds: 100)
        let board = NotificationQueue(clock: clock)
        for number in 0..<817 { board.post("line \(number)") }
        let (first, again) = board.take()
        #expect(first == (0..<5).map { "line \($0)" })
        #expect(again == 1_001)
        #expect(board.take().lines.isEmpty)
        clock.advance(nanoseconds: 1_000_000_000)
        let second = board.take()
        #expect(second.lines == ["\u{2026} 812 more"])
        #expect(second.again == nil)
        board.post("next")
        #expect(board.take().lines == ["next"])
    }

    @Test("A limited number of lines is kept while no lines are shown")
    func bounded() {
        let clock = SimulatedClock(seconds: 100)
        let board = NotificationQueue(clock: clock)
        for _ in 0..<1_000 {
            for number in 0..<6 { board.post("line \(number)") }
            clock.advance(nanoseconds: 1_000_000_000)
        }
        #expect(board.take().lines.count <= 102)
    }

    @Test("The descriptor is readable when there is something to show")
    func descriptor() {
        let board = NotificationQueue()
        #expect(DescriptorWait.readable([board.descriptor], milliseconds: 0) == [false])
        board.post("one")
        #expect(DescriptorWait.readable([board.descriptor, -1], milliseconds: 0) == [true, false])
        #expect(board.take().lines == ["one"])
        #expect(DescriptorWait.readable([board.descriptor], milliseconds: 0) == [false])
    }
}
