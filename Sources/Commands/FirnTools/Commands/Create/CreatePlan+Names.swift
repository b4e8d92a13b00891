import FirnEngine
import FirnFormats
import FirnValues

extension CreatePlan {
    /// Checks that every name in an option is known.
    func checkNames() throws(CommandFailure) {
        let names = definitions.flatMap { definition in definition.properties.map(\.name) }
        let qualified = definitions.flatMap { definition in
            definition.properties.map { "\(definition.name).\($0.name)" }
        }
        let wanted = command.records.types.map(\.property) + command.keys.map(\.text)
        for name in wanted where !names.contains(name) && !qualified.contains(name) {
            throw FieldMapping.unknown(
                name, "column", among: names, orQualified: name.contains(".") ? qualified : nil)
        }
        for map in command.records.maps where !fieldNames.contains(map.field) {
            throw FieldMapping.unknown(map.field, "field", among: fieldNames)
        }
        for type in command.records.types { try type.checkTarget(among: definitions.map(\.name)) }
    }
}
