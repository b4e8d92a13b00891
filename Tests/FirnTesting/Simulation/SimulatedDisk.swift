import FirnPlatform
import Glibc

/// The whole state of a simulated disk, and what is planned to go wrong with it.
struct SimulatedDisk: Sendable {
    /// What happens to one operation.
    enum Verdict {
        case proceeds
        /// It fails or the machine stops, after so much of it.
        case stops(PlatformError, after: AppliedPart)
        case isInterrupted
        case isShort
        case flipsBit(byte: Int, bit: Int)
        case isLost
        case isMisdirected(by: Int)
    }

    private struct Planned: Sendable {
        let fault: Fault
        var seen = 0
    }

    /// More would only exhaust the memory of the test.
    static let fileBytesMax = 1 << 30
    private static let leftoverBytesMax = 1 << 16
    private static let leftoversMax = 4

    var names = SimulatedNames()
    var inodes: [UInt64: SimulatedInode] = [:]
    var locks = SimulatedLocks()
    /// All that is open.
    private(set) var handles: [UInt64: (inode: UInt64, process: UInt64)] = [:]
    var nextNumber: UInt64 = 1
    /// Which boot of the simulated machine this is.
    var boot: UInt64 = 1
    /// All bytes that the files together may have; `nil` for no limit.
    var capacity: Int?
    /// Whether its file system keeps blocks behind the end of a file.
    var canReserve = true
    /// What the last files held that are gone: their space keeps it until somebody writes there.
    private(set) var leftovers: [[UInt8]] = []
    var isReadOnly = false
    var hasCrashed = false
    private(set) var deadProcesses: Set<UInt64> = []
    /// What processes that died in the middle of an operation still did of it.
    private var lastActs: [UInt64: AppliedPart] = [:]
    /// What the machine says about where its files lie and who holds locks on them.
    var volume = VolumeKind.local
    var lockHolders: [LockHolder] = []
    /// Every operation that changed the disk or tried to, in order.
    private(set) var history: [SimulatedOperation] = []
    private var crash: (at: Int, applying: AppliedPart)?
    private var planned: [Planned] = []

    mutating func takeNumber() -> UInt64 {
        defer { nextNumber += 1 }
        return nextNumber
    }

    // MARK: Processes

    func isAlive(_ process: UInt64) -> Bool {
        !hasCrashed && !deadProcesses.contains(process)
    }

    /// Ends a process, whose locks and handles go with it.
    mutating func kill(_ process: UInt64, applying part: AppliedPart) {
        guard deadProcesses.insert(process).inserted else { return }
        lastActs[process] = part
        locks.releaseAll(process: process)
        for (handle, opened) in handles where opened.process == process { close(handle) }
    }

    /// Forgets all that only lives in processes and in the kernel.
    mutating func endAllProcesses() {
        hasCrashed = false
        deadProcesses = []
        lastActs = [:]
        locks = SimulatedLocks()
        handles = [:]
    }

    // MARK: Handles

    /// Makes a handle of a file for a process.
    mutating func open(_ inode: UInt64, process: UInt64) -> UInt64 {
        let handle = takeNumber()
        handles[handle] = (inode, process)
        return handle
    }

    /// Closes a handle, if its process has not died before.
    mutating func close(_ handle: UInt64) {
        locks.releaseAll(owner: handle)
        guard let opened = handles.removeValue(forKey: handle) else { return }
        dropIfUnreachable(opened.inode)
    }

    // MARK: Plans

    mutating func plan(crashAt operation: Int, applying part: AppliedPart) {
        crash = (operation, part)
    }

    mutating func plan(_ fault: Fault) { planned.append(Planned(fault: fault)) }

    mutating func forgetPlans() {
        crash = nil
        planned = []
    }

    mutating func forgetHistory() { history = [] }

    // MARK: Operations

    /// Counts an operation and says what becomes of it. Every call comes through here.
    mutating func begin(_ operation: SimulatedOperation, process: UInt64) -> Verdict {
        let stopped = PlatformError(
            .inputOutput, operation: "simulated crash", path: operation.path, errno: EIO)
        guard isAlive(process) else {
            let part = operation.kind.changesDisk ? lastActs.removeValue(forKey: process) : nil
            return .stops(stopped, after: hasCrashed ? .nothing : part ?? .nothing)
        }
        if operation.kind.changesDisk {
            let number = history.count
            history.append(operation)
            if let crash, number >= crash.at {
                hasCrashed = true
                return .stops(stopped, after: number == crash.at ? crash.applying : .nothing)
            }
        }
        guard let effect = effectOfFault(on: operation) else { return .proceeds }
        switch effect {
        case .fails(let number, let part):
            return .stops(
                PlatformError(
                    system: number, operation: "\(operation.kind)", path: operation.path),
                after: part)
        case .interrupted: return .isInterrupted
        case .shortTransfer: return .isShort
        case .flipsBit(let byte, let bit): return .flipsBit(byte: byte, bit: bit)
        case .losesWrite: return .isLost
        case .misdirects(let distance): return .isMisdirected(by: distance)
        }
    }

    private mutating func effectOfFault(on operation: SimulatedOperation) -> Fault.Effect? {
        var effect: Fault.Effect?
        for index in planned.indices {
            let fault = planned[index].fault
            guard fault.kinds.contains(operation.kind),
                operation.path.hasSuffix(fault.pathSuffix)
            else { continue }
            let seen = planned[index].seen
            planned[index].seen += 1
            let hits = seen == fault.ordinal || (fault.isSticky && seen > fault.ordinal)
            if hits, effect == nil { effect = fault.effect }
        }
        return effect
    }

    /// Begins an operation that either happens as a whole or not at all, however often it is
    /// interrupted, and returns the error to throw after doing so much of it.
    mutating func decide(
        _ operation: SimulatedOperation, process: UInt64
    ) -> (happens: Bool, error: PlatformError?) {
        while true {
            switch begin(operation, process: process) {
            case .isInterrupted: continue
            case .stops(let error, let part): return (part == .everything, error)
            case .proceeds, .isShort, .flipsBit, .isLost, .isMisdirected: return (true, nil)
            }
        }
    }

    // MARK: Space

    /// How many bytes more the files may take together.
    var room: Int {
        guard let capacity else { return .max }
        // A removed file takes no space, also if a loss of power could bring it back.
        let living = Set(names.current.values).union(handles.values.map(\.inode))
        return max(0, capacity - living.reduce(0) { $0 + (inodes[$1]?.allocatedCount ?? 0) })
    }

    /// Frees a file that neither a handle nor a name, also one after a power loss, leads to.
    mutating func dropIfUnreachable(_ inode: UInt64) {
        guard !handles.values.contains(where: { $0.inode == inode }), !names.mayNeed(inode)
        else { return }
        guard let gone = inodes.removeValue(forKey: inode), !gone.durable.isEmpty else { return }
        leftovers.append(Array(gone.durable.prefix(Self.leftoverBytesMax)))
        if leftovers.count > Self.leftoversMax { leftovers.removeFirst() }
    }
}
