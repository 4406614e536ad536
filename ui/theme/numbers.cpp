#include "ui/theme/numbers.h"

#include "base/units.h"

namespace nodewise::ui {

QString durationText(int64_t nanoseconds) { return QString::fromStdString(units::duration(nanoseconds)); }
QString exactDurationText(int64_t nanoseconds) {
  return QString::fromStdString(units::exactDuration(nanoseconds));
}
QString bytesText(int64_t bytes) { return QString::fromStdString(units::bytes(bytes)); }
QString capText(int64_t bytes) { return QString::fromStdString(units::cap(bytes)); }
QString countText(int64_t count) { return QString::fromStdString(units::count(count)); }
QString ageText(int64_t seconds) { return QString::fromStdString(units::age(seconds)); }
QString countedText(int64_t count, const QString& noun) {
  return QString::fromStdString(units::counted(count, noun.toStdString()));
}

} // namespace nodewise::ui
