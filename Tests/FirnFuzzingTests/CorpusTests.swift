import FirnFuzzing
import FirnPlatform
import FirnTesting
import Testing

/// Kept inputs: one for each feature of a target, and those that once broke it.
@Suite("Kept inputs of the fuzzer")
struct CorpusTests {
    @Test("The stored corpus inputs break no rule", arguments: FuzzTarget.allCases)
    func corpus(target: FuzzTarget) throws {
        let folder = Fixtures.path("Corpora/\(target.rawValue)")
        let names = FolderListing.names(in: folder).sorted()
        #expect(!names.isEmpty, "\(folder)")
        for name in names {
            let bytes = try Fixtures.bytes("Corpora/\(target.rawValue)/\(name)")
            do { try target.run(bytes) } catch {
                Issue.record("\(target.rawValue)/\(name): \(error)")
            }
        }
    }

    /// Pieces of the kept inputs in other orders, which no fuzzer has tried yet.
    @Test("Mixed pieces of the stored corpus inputs break no rule", arguments: FuzzTarget.allCases)
    func mixtures(target: FuzzTarget) throws {
        let folder = Fixtures.path("Corpora/\(target.rawValue)")
        let inputs = try FolderListing.names(in: folder).sorted().map { name in
            try Fixtures.bytes("Corpora/\(target.rawValue)/\(name)")
        }
        for seed in TestScale.seeds(1) {
            var generator = SplitMix64(seed: seed &+ 5)
            for _ in 0..<30 {
                var input: [UInt8] = []
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    guard let piece = inputs.randomElement(using: &generator), !piece.isEmpty else {
                        continue
                    }
                    let start = Int.random(in: 0..<piece.count, using: &generator)
                    let end = Int.random(in: start...piece.count, using: &generator)
                    input += piece[start..<end]
                }
                if !input.isEmpty, generator.happens(oneIn: 2) {
                    let place = Int.random(in: 0..<input.count, using: &generator)
                    input[place] = UInt8(truncatingIfNeeded: generator.next())
                }
                do { try target.run(input) } catch {
                    Issue.record("\(target.rawValue), seed \(seed): \(error): \(input)")
                }
            }
        }
    }
}
