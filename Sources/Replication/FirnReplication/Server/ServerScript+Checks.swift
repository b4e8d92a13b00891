import FirnValues

extension ServerScript {
    /// Returns the statements that keep values that files cannot have out of the table of a class.
    ///
    /// Rows that have such values already stay, and are left out by the files until they change.
    static func checks(of type: SyncedClass) -> String {
        type.columns.compactMap { column in
            guard let condition = column.condition else { return nil }
            let name = SQLText.name("firn \(column.main)")
            return """
                ALTER TABLE \(type.table) DROP CONSTRAINT IF EXISTS \(name);
                ALTER TABLE \(type.table) ADD CONSTRAINT \(name) CHECK (\(condition)) NOT VALID;

                """
        }.joined()
    }
}

extension SyncedColumn {
    /// The condition of the values that the property can have; `nil` if its type has no others.
    fileprivate var condition: String? {
        let value = SQLText.name(main)
        if type.container == .map {
            return "jsonb_typeof(\(value)) = 'object' AND NOT jsonb_path_exists(\(value), "
                + "'$.keyvalue().key ? (@ like_regex \"[.]|^[$]\")')"
        }
        if isJSON { return nil }
        if isCollection {
            return type.isOptional && !isLink ? nil : "array_position(\(value), NULL) IS NULL"
        }
        switch stored {
        case .int where type.integerWidth != .bits64 && target == nil:
            let range = type.integerWidth.range
            return "\(value) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
        case .date:
            return "\(value) >= '0001-01-01 00:00:00+00' AND \(value) < '10000-01-01 00:00:00+00'"
        case .decimal128:
            // At most 34 digits, besides zeros at the ends.
            return "length(ltrim(rtrim(translate(trim_scale(abs(\(value)))::text, '.', ''), '0'), "
                + "'0')) <= 34"
        default: return nil
        }
    }
}
