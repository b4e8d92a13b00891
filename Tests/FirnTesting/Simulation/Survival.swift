/// What a power loss leaves of everything that was not synced.
package enum PowerLoss: Hashable, Sendable, CustomStringConvertible {
    /// Nothing that was not synced.
    case nothingSurvives
    /// Everything, as if the system had written all of it in the background.
    case everythingSurvives
    /// Each sector, each size and each directory operation by its own throw of the dice.
    case random(seed: UInt64)
    /// Of everything that may survive or not, in some order, what has its bit here.
    case chosen(bits: UInt64)

    package var description: String {
        switch self {
        case .nothingSurvives: "power loss, nothing un-synced survives"
        case .everythingSurvives: "power loss, everything survives"
        case .random(let seed): "power loss, seed \(seed)"
        case .chosen(let bits): "power loss that leaves \(String(bits, radix: 2))"
        }
    }
}

/// Makes the choices of one power loss, in the order in which it is asked.
struct Survival {
    private enum Choice {
        case lost
        case kept
        case torn
    }

    private let loss: PowerLoss
    private var generator: SplitMix64
    /// Of 16 throws, how many keep: some losses keep nearly nothing, some nearly all, because a
    /// fair coin for each of a hundred sectors never leaves exactly one.
    private let keptOfSixteen: UInt64
    /// How many choices were made.
    private(set) var choiceCount = 0

    init(_ loss: PowerLoss) {
        self.loss = loss
        if case .random(let seed) = loss {
            generator = SplitMix64(seed: seed)
            keptOfSixteen = [1, 4, 8, 12, 15][Int(generator.next() % 5)]
        } else {
            generator = SplitMix64(seed: 0)
            keptOfSixteen = 0
        }
    }

    /// Whether a directory operation survives.
    mutating func keepsName() -> Bool { choose(mayTear: false) == .kept }

    /// The size of a file: the old one, the new one, or on the way between them.
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

    /// The content of a sector, given all that it held since the last sync, oldest first.
    mutating func sector(_ versions: [[UInt8]]) -> [UInt8] {
        let newest = versions.count - 1
        switch choose(mayTear: true) {
        case .lost: return versions[0]
        case .kept:
            // Mostly the newest, sometimes one that was overwritten before the power went.
            let isOlder = newest > 1 && isRandom && generator.happens(oneIn: 3)
            return versions[isOlder ? Int.random(in: 1..<newest, using: &generator) : newest]
        case .torn:
            var pair = [
                versions[Int.random(in: 0..<newest, using: &generator)], versions[newest],
            ]
            if generator.happens(oneIn: 2) { pair.swapAt(0, 1) }
            let cut = Int.random(in: 1..<pair[0].count, using: &generator)
            return Array(pair[0][..<cut] + pair[1][cut...])
        }
    }

    private var isRandom: Bool {
        if case .random = loss { return true }
        return false
    }

    private mutating func choose(mayTear: Bool) -> Choice {
        defer { choiceCount += 1 }
        switch loss {
        case .chosen(let bits):
            return choiceCount < 64 && bits >> UInt64(choiceCount) & 1 == 1 ? .kept : .lost
        case .nothingSurvives: return .lost
        case .everythingSurvives: return .kept
        case .random:
            if mayTear, generator.happens(oneIn: 6) { return .torn }
            return generator.next() % 16 < keptOfSixteen ? .kept : .lost
        }
    }
}
