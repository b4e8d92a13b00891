import FirnCodec
import FirnValues

/// A check of one row group: every page decodes, row ids ascend, zone maps hold.
struct RowGroupCheck {
    let view: RowGroupView
    let group: RowGroup
    let isDeep: Bool
    private(set) var findings: [Finding] = []
    private(set) var pageCount = 0
    /// The greatest row id of the group, once known.
    private(set) var lastRowID: RowID?
    private let previous: RowID?

    init(view: RowGroupView, group: RowGroup, isDeep: Bool, after previous: RowID?) {
        self.view = view
        self.group = group
        self.isDeep = isDeep
        self.previous = previous
    }

    mutating func run() throws(StoreError) {
        try checkRowIDs()
        try attempt { check throws(StoreError) in
            guard let deleted = check.group.deleted else { return }
            check.pageCount += 1
            let mask = try check.view.deleteMarks(deleted, of: check.group)
            if mask.population != check.group.deletedCount {
                check.add(
                    .structure,
                    "\(mask.population) rows are marked as deleted, the directory says "
                        + "\(check.group.deletedCount)")
            }
        }
        for property in view.schema.properties where property.type.container == .single {
            try attempt { check throws(StoreError) in
                check.pageCount += 1
                let column = try check.view.column(property)
                if !property.type.mayBeNull, column.nullCount > 0 {
                    check.add(.structure, "\(property.name) is nil in some rows but not optional")
                }
                if check.isDeep, let zone = check.group.column(property.id)?.zone {
                    check.compare(column, zone, property)
                }
            }
        }
    }

    private mutating func checkRowIDs() throws(StoreError) {
        try attempt { check throws(StoreError) in
            if let previous = check.previous, check.group.firstRowID <= previous {
                check.add(.structure, "begins before the row group in front of it ends")
            }
            guard let offsets = try check.view.rowIDOffsets() else {
                check.lastRowID = RowID(
                    check.group.firstRowID.rawValue + UInt64(check.group.rowCount) - 1)
                return
            }
            check.pageCount += 1
            var vector = ColumnVector(kind: .int)
            offsets.decode(0..<offsets.rowCount, into: &vector)
            let ascends = zip(vector.ints, vector.ints.dropFirst()).allSatisfy { $0 < $1 }
            if !ascends || vector.ints.first != 0 || !vector.nulls.allSatisfy({ $0 == 0 }) {
                check.add(.structure, "row ids do not ascend from the first")
            }
            check.lastRowID = vector.ints.last.map {
                RowID(check.group.firstRowID.rawValue &+ UInt64(clamping: $0))
            }
        }
    }

    /// Checks that every value is within its zone map, and that the null count is exact.
    private mutating func compare(_ column: ColumnPage, _ zone: ZoneMap, _ property: PropertySchema)
    {
        guard zone.nullCount == column.nullCount else {
            add(.zone, "\(property.name) has \(column.nullCount) nulls, its zone \(zone.nullCount)")
            return
        }
        for row in 0..<column.rowCount {
            let value = column.value(at: row)
            if value.isNull { continue }
            if zone.verdict(.compare(.equal, value)) == .none, !value.isNotANumber {
                add(.zone, "\(property.name) of row \(row) is outside of its zone map")
                return
            }
        }
    }

    private mutating func add(_ kind: Finding.Kind, _ message: String) {
        let location = "row group \(group.firstRowID.rawValue) of \(view.schema.name)"
        findings.append(Finding(kind: kind, message: "\(location): \(message)"))
    }

    private mutating func attempt(
        _ step: (inout RowGroupCheck) throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) {
            try step(&self)
        } catch {
            guard error.code == .corrupt else { throw error }
            findings.append(Finding(kind: .page, message: error.detail))
        }
    }
}
