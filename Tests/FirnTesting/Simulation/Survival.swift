/// The fate of unsynced data in a power loss.
package enum PowerLoss: Hashable, Sendable, CustomStringConvertible {
    /// No unsynced data.
    case nothingSurvives
    /// Everything, as if the system had written all of it in the background.
    case everythingSurvives
    /// Each sector, each size and each directory operation at random.
    case random(seed: UInt64)
    /// The same for a drive with sectors of 4 KiB, in which a loss may also leave only the middle
    /// new or old.
    case largeSectors(seed: UInt64)
    /// The same, on a file system that exposes former disk content where a file grew and its data
    /// was lost: garbage, or former content of this or another file.
    case leftovers(seed: UInt64)
    /// The items in doubt, in a fixed order, whose bit is set.
    case chosen(bits: UInt64)

    package var description: String {
        switch self {
        case .nothingSurvives: "power loss, nothing un-synced survives"
        case .everythingSurvives: "power loss, everything survives"
        case .random(let seed): "power loss, seed \(seed)"
        case .largeSectors(let seed): "power loss with sectors of 4 KiB, seed \(seed)"
        case .leftovers(let seed): "power loss that shows what lay there before, seed \(seed)"
        case .chosen(let bits): "power loss that leaves \(String(bits, radix: 2))"
        }
    }
}

/// Makes the choices of one power loss, in order.
struct Survival {
    private enum Choice {
        case lost
        case kept
        case torn
    }

    private let loss: PowerLoss
    private var generator: SplitMix64
    /// The number of throws of 16 that keep: some losses keep nearly nothing, some nearly all,
    /// because a fair coin for each of a hundred sectors never leaves exactly one.
    private let keptOfSixteen: UInt64
    /// The possible former content of space that a file grows into.
    private let leftovers: [[UInt8]]
    /// The number of choices made.
    private(set) var choiceCount = 0

    init(_ loss: PowerLoss, leftovers: [[UInt8]] = []) {
        self.loss = loss
        self.leftovers = leftovers
        switch loss {
        case .random(let seed), .largeSectors(let seed), .leftovers(let seed):
            generator = SplitMix64(seed: seed)
            keptOfSixteen = [1, 4, 8, 12, 15][Int(generator.next() % 5)]
        case .nothingSurvives, .everythingSurvives, .chosen:
            generator = SplitMix64(seed: 0)
            keptOfSixteen = 0
        }
    }

    private var hasLargeSectors: Bool {
        switch loss {
        case .largeSectors, .leftovers: true
        case .random, .nothingSurvives, .everythingSurvives, .chosen: false
        }
    }

    /// The number of bytes that share one fate.
    var sectorBytes: Int { hasLargeSectors ? 4096 : SimulatedInode.sectorBytes }

    /// Returns whether a directory operation survives.
    mutating func keepsName() -> Bool { choose(mayTear: false) == .kept }

    /// The size of a file: the old one, the new one, or one in between.
    mutating func size(durable: Int, cached: Int) -> Int {
        guard durable != cached else { return durable }
        switch choose(mayTear: true) {
        case .lost: return durable
        case .kept: return cached
        case .torn:
            return Int.random(
                in: min(durable, cached)...max(durable, cached), using: &generator)
        }
    }

    /// The content of a sector, given all its contents since the last sync, oldest first.
    mutating func sector(_ versions: [[UInt8]]) -> [UInt8] {
        let newest = versions.count - 1
        switch choose(mayTear: true) {
        case .lost: return versions[0]
        case .kept:
            // Mostly the newest, sometimes one that was overwritten before the power failed.
            let isOlder = newest > 1 && isRandom && generator.happens(oneIn: 3)
            return versions[isOlder ? Int.random(in: 1..<newest, using: &generator) : newest]
        case .torn:
            var pair = [
                versions[Int.random(in: 0..<newest, using: &generator)], versions[newest],
            ]
            if generator.happens(oneIn: 2) { pair.swapAt(0, 1) }
            let cut = Int.random(in: 1..<pair[0].count, using: &generator)
            guard hasLargeSectors, generator.happens(oneIn: 3) else {
                return Array(pair[0][..<cut] + pair[1][cut...])
            }
            let end = Int.random(in: cut...pair[0].count, using: &generator)
            return Array(pair[0][..<cut] + pair[1][cut..<end] + pair[0][end...])
        }
    }

    /// Fills the part of a sector where a file grew and nothing was written: with zeros, unless the
    /// file system exposes former disk content.
    ///
    ///  - Parameters:
    ///   - sector: the sector, with zeros from the index on.
    ///   - offset: the offset of the sector in its file.
    mutating func fillGrowth(of sector: inout [UInt8], from index: Int, at offset: Int) {
        guard case .leftovers = loss, index < sector.count else { return }
        switch generator.next() % 4 {
        case 0: break
        case 1:
            for place in index..<sector.count {
                sector[place] = UInt8(truncatingIfNeeded: generator.next())
            }
        default:
            guard let source = leftovers.randomElement(using: &generator) else { return }
            // Often from the same offset, where it looks most plausible.
            let any = Int.random(in: 0...source.count, using: &generator) / 512 * 512
            let start = generator.happens(oneIn: 2) ? offset : any
            for place in index..<sector.count where start + place < source.count {
                sector[place] = source[start + place]
            }
        }
    }

    private var isRandom: Bool {
        switch loss {
        case .random, .largeSectors, .leftovers: true
        case .nothingSurvives, .everythingSurvives, .chosen: false
        }
    }

    private mutating func choose(mayTear: Bool) -> Choice {
        defer { choiceCount += 1 }
        switch loss {
        case .chosen(let bits):
            return choiceCount < 64 && bits >> UInt64(choiceCount) & 1 == 1 ? .kept : .lost
        case .nothingSurvives: return .lost
        case .everythingSurvives: return .kept
        case .random, .largeSectors, .leftovers:
            if mayTear, generator.happens(oneIn: 6) { return .torn }
            return generator.next() % 16 < keptOfSixteen ? .kept : .lost
        }
    }
}
