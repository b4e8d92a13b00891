import FirnPlatform
import FirnTesting
import Testing

@Suite("Clocks and entropy")
struct ClockTests {
    @Test("The monotonic clock advances, and the wall clock shows this century")
    func systemClock() {
        let clock = SystemClock()
        let start = clock.monotonicNanoseconds()
        clock.sleep(nanoseconds: 2_000_000)
        #expect(clock.monotonicNanoseconds() - start >= 2_000_000)
        #expect((1_700_000_000..<4_102_444_800).contains(clock.wallTime().seconds))
        #expect((0..<1_000_000_000).contains(clock.wallTime().nanoseconds))
    }

    @Test("The simulated clock moves only on request")
    func simulatedClock() {
        let clock = SimulatedClock(seconds: 100, nanoseconds: 999_999_999)
        let start = clock.monotonicNanoseconds()
        #expect(clock.monotonicNanoseconds() == start)
        clock.sleep(nanoseconds: 1_000_000_001)
        #expect(clock.monotonicNanoseconds() == start + 1_000_000_001)
        #expect(clock.wallTime() == (102, 0))
        clock.setWallTime(seconds: -5)
        #expect(clock.wallTime() == (-5, 0))
        #expect(clock.monotonicNanoseconds() == start + 1_000_000_001)
    }

    @Test("Real entropy does not repeat, but seeded entropy does")
    func entropy() {
        let real = SystemEntropy()
        #expect(Set((0..<1000).map { _ in real.random64() }).count == 1000)
        let (first, second) = (SeededEntropy(seed: 5), SeededEntropy(seed: 5))
        for _ in 0..<100 { #expect(first.random64() == second.random64()) }
        #expect(SeededEntropy(seed: 6).random64() != SeededEntropy(seed: 5).random64())
    }
}
