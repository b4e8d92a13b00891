/// The state that a crash leaves for the next start.
package enum CrashImage: Hashable, Sendable, CustomStringConvertible {
    /// The process was killed; the page cache survives.
    case processDeath
    case powerLoss(PowerLoss)

    package var description: String {
        switch self {
        case .processDeath: "process death"
        case .powerLoss(let loss): loss.description
        }
    }

    /// The disk that the next start finds.
    package func disk(after crashed: SimulatedFileSystem) -> SimulatedFileSystem {
        switch self {
        case .processDeath: crashed.processDeathImage()
        case .powerLoss(let loss): crashed.powerLossImage(loss)
        }
    }

    /// Its Swift source, for messages that show how to reproduce a failure.
    var source: String {
        switch self {
        case .processDeath: ".processDeath"
        case .powerLoss(.nothingSurvives): ".powerLoss(.nothingSurvives)"
        case .powerLoss(.everythingSurvives): ".powerLoss(.everythingSurvives)"
        case .powerLoss(.random(let seed)): ".powerLoss(.random(seed: \(seed)))"
        case .powerLoss(.largeSectors(let seed)): ".powerLoss(.largeSectors(seed: \(seed)))"
        case .powerLoss(.leftovers(let seed)): ".powerLoss(.leftovers(seed: \(seed)))"
        case .powerLoss(.chosen(let bits)): ".powerLoss(.chosen(bits: \(bits)))"
        }
    }
}

/// One moment of a workload, and the state after a crash there.
package struct CrashPoint: Hashable, Sendable, CustomStringConvertible {
    /// The number of the operation at which the machine stops.
    package var operation: Int
    /// The part of the operation that still happens.
    package var applying: AppliedPart
    package var image: CrashImage
    /// If set, the recovery from `image` crashes, too, at this operation of its own, and leaves a
    /// power loss of this seed.
    package var recoveryCrash: RecoveryCrash?

    /// A second crash, during the recovery from the first.
    package struct RecoveryCrash: Hashable, Sendable {
        package var operation: Int
        package var seed: UInt64

        package init(operation: Int, seed: UInt64) {
            self.operation = operation
            self.seed = seed
        }
    }

    package init(
        operation: Int, applying: AppliedPart = .nothing, image: CrashImage,
        recoveryCrash: RecoveryCrash? = nil
    ) {
        self.operation = operation
        self.applying = applying
        self.image = image
        self.recoveryCrash = recoveryCrash
    }

    /// The initializer call that makes this point again.
    package var description: String {
        let second = recoveryCrash.map {
            ", recoveryCrash: .init(operation: \($0.operation), seed: \($0.seed))"
        }
        return "CrashPoint(operation: \(operation), applying: .\(applying), "
            + "image: \(image.source)\(second ?? ""))"
    }
}

/// A crash after which the verification failed, with all details needed to reproduce it.
package struct CrashFailure: Error, CustomStringConvertible {
    package let name: String
    package let point: CrashPoint
    /// The operation at which the machine stopped.
    package let operation: String
    package let reason: any Error

    package var description: String {
        """
        \(name): \(reason)
          crashed at operation \(point.operation) (\(operation)), left: \(point.image)
          repeat with: only: \(point)
        """
    }
}
